# Containers and who may read them; values are put in by hand or by another pipeline, so that no state holds one:
#   gcloud secrets versions add holdfast-model-key --data-file=-
resource "google_secret_manager_secret" "main" {
  for_each = var.secrets

  project             = var.project_id
  secret_id           = "${var.prefix}-${each.key}"
  labels              = local.labels
  deletion_protection = var.deletion_protection

  replication {
    user_managed {
      replicas {
        location = var.region

        dynamic "customer_managed_encryption" {
          for_each = var.cmek == null ? [] : [var.cmek.key]

          content {
            kms_key_name = customer_managed_encryption.value
          }
        }
      }
    }
  }

  depends_on = [google_project_service.main, time_sleep.key_grants]
}
