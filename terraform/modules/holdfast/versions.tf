terraform {
  required_version = ">= 1.9.0, < 2.0.0"

  required_providers {
    google = {
      source = "hashicorp/google"
      # 7.34 has deletion_policy on every resource here; nothing here is among what 8.0 changes.
      version = ">= 7.34.0, < 9.0.0"
    }
    # Waits for grants (grants.tf), and nothing else.
    time = {
      source  = "hashicorp/time"
      version = ">= 0.12.0, < 1.0.0"
    }
  }

  provider_meta "google" {
    module_name = "blueprints/terraform/holdfast/v0.1.0"
  }
}
