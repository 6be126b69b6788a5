"""The exact oscillator: free motion, and motion under a force that is a polynomial of time."""
