"""Bodies that fall on elastic ground and bounce."""
