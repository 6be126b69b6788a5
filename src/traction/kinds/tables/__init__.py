"""Tables of scenario files that several kinds share: pydantic models that describe, check and build.

`body_tables` materials, grids and surfaces; `method_tables` integration methods; `beam_tables`,
`axle_tables`, `wheel_tables` and `crossing_tables` bridges and what crosses them;
`crossing_fields` what their samples hold.
"""
