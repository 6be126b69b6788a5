"""placeholder"""
def describe_api(): return {"openapi": "3.1.0"}
