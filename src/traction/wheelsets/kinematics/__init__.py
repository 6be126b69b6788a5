"""How a rigid wheelset runs along a track: contact functions, equivalent conicity, kinematic wave."""
