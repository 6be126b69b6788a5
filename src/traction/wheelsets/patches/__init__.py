"""Contact patches: their planes, distances, creepages and forces."""
