"""What a fingerprint is made of: named cases, their numbers, and the comparison of two fingerprints."""
