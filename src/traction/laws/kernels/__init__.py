"""Contact laws in compiled code: `power_values` within `law_values`; `continuation_steps` of half spaces."""
