"""Validates YAML files against a JSON Schema: validate.py SCHEMA FILE...

Prints one line per file, `FILE: valid` or `FILE: invalid`. If a module is missing, prints its name
and exits with 77."""

import json
import sys

try:
    import jsonschema
    import yaml
except ModuleNotFoundError as missing:
    print(f"skipped: python3 has no module {missing.name}")
    sys.exit(77)


def main(schema_path, *paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            valid = validator.is_valid(yaml.safe_load(file))
        print(f"{path}: {'valid' if valid else 'invalid'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
