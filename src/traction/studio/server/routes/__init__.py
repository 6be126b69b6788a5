"""Routes by subject: each reads a request, and answers it with what `studio` holds."""
