"""Kernels of batches, on the processor; those for GPUs stand beside them in CUDA.

`pressing_steps` and `splitting_steps` are the steps of pressures and tractions, with bounds by `law_steps`;
`member_moves` are between the steps, `mirror_folds` before them.
"""
