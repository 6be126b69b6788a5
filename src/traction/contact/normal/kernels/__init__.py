"""Compiled steps of the iteration for the pressure, products on small windows, and looks at fields."""
