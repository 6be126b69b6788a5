"""Bodies that slide with friction and move: `belt_oscillator`, a mass on a spring and a moving belt."""
