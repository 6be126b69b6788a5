"""The room of rest."""
