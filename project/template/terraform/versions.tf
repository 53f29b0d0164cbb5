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

  # Its bucket stands in state.gcs.tfbackend.
  backend "gcs" {}
}

provider "google" {
  project = var.project_id
  region  = var.region
}
