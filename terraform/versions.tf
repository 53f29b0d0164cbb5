terraform {
  required_version = ">= 1.9.0, < 2.0.0"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 7.34"
    }
  }

  # terraform init -backend-config=bucket=STATE_BUCKET -backend-config=prefix=holdfast
  backend "gcs" {}
}

provider "google" {
  project = var.project_id
  region  = var.region
}
