# The containers that are built from the zips. The repository that Cloud Functions makes by itself is never cleaned up.
resource "google_artifact_registry_repository" "main" {
  project         = var.project_id
  location        = var.region
  repository_id   = var.prefix
  description     = "Containers of the functions of ${var.prefix}."
  format          = "DOCKER"
  kms_key_name    = one(var.cmek[*].key)
  labels          = local.labels
  deletion_policy = "DELETE"

  cleanup_policies {
    id     = "keep-recent"
    action = "KEEP"

    most_recent_versions {
      keep_count = 10
    }
  }

  cleanup_policies {
    id     = "delete-old"
    action = "DELETE"

    condition {
      older_than = "2592000s"
    }
  }

  depends_on = [google_project_service.main, time_sleep.key_grants]
}
