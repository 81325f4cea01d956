"""The screens. Each is a function of the look; what it shows is in the state."""
