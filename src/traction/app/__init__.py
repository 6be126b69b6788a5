"""Programs built on the library."""
