"""Says of each YAML file whether it is what a JSON Schema wants: validate.py SCHEMA FILE...

One line a file, `FILE: valid` or `FILE: invalid`. Where a module is missing, prints which and exits
with 77."""

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
