"""Full finite elements beside the models of this package: an independent answer to the same questions.

scikit-fem meshes and assembles; nothing of half spaces, beams or Hertz is in the answers. It is an extra,
`pip install traction[fem]`, and loads only when a check runs.
"""
