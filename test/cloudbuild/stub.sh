#!/usr/bin/env bash
# Stands for npm, apt-get, terraform and gcloud in Cloud Build's scripts: writes down what it was asked to do, and does as much of
# it as can be done here.
set -euo pipefail
name=$(basename "$0")
echo "$name $*" >> "$STUB_LOG"

from_bucket() { [[ "$1" == gs://* ]] && echo "$STUB_BUCKETS/${1#gs://}" || echo "$1"; }

case "$name $*" in
  'npm ci') [[ -f package-lock.json ]] ;;
  'npm run build') node "$STUB_PROJECT/functions/cli/main.ts" build --only sweeper --out "$PWD/dist" ;;
  'npm run '*) grep -q "\"$2\": \"node" package.json ;;
  'terraform init '*) echo lock > .terraform.lock.hcl ;;
  'terraform plan '*) [[ "$*" != *-out=* ]] || echo "plan of $TF_VAR_project_id in $TF_VAR_region" > holdfast.tfplan ;;
  'terraform apply '*) cat holdfast.tfplan >> "$STUB_LOG" ;;
  'terraform output -raw endpoint') echo -n "$STUB_ENDPOINT" ;;
  'terraform output -raw audience') echo -n 'https://function.example' ;;
  'terraform fmt '* | 'terraform validate' | 'terraform test') ;;
  'gcloud info '*) echo "$STUB_SDK" ;;
  'gcloud auth print-identity-token '*) echo stub-token ;;
  'gcloud builds triggers run '*) ;;
  'gcloud storage cp '*)
    shift 2
    target=$(from_bucket "${!#}")
    [[ "$target" != */ ]] || mkdir -p "$target"
    for source in "${@:1:$#-1}"; do cp "$(from_bucket "$source")" "$target"; done
    ;;
  'apt-get '*) ;;
  *) echo "$name $*: not foreseen" >&2; exit 99 ;;
esac
