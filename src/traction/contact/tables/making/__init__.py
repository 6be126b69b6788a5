"""A table made to a stated error: `refinement` places the nodes, `node_solutions` solves them in batches."""
