"""Contact problems on a grid."""
