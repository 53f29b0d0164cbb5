terraform {
  required_version = ">= 1.9.0, < 2.0.0"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 7.34"
    }
    time = {
      source  = "hashicorp/time"
      version = "~> 0.12"
    }
  }

  # terraform init -backend-config=bucket=STATE_BUCKET -backend-config=prefix=holdfast
  backend "gcs" {}
}

provider "google" {
  project = var.project_id
  region  = var.region
  # Budgets are no resources of the project: a person's own credentials need to say whose quota they use.
  billing_project       = var.budget == null ? null : var.project_id
  user_project_override = var.budget != null
}
