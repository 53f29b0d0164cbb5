# This key wraps the data keys of the runs. Neither a key nor a ring can ever be deleted or its name used again, hence
# the generation.
resource "google_kms_key_ring" "main" {
  count = var.kms.key == null ? 1 : 0

  project  = var.project_id
  name     = var.kms.generation == 1 ? var.prefix : "${var.prefix}-${var.kms.generation}"
  location = var.region

  depends_on = [google_project_service.main]
}

resource "google_kms_crypto_key" "main" {
  count = var.kms.key == null ? 1 : 0

  name            = "data"
  key_ring        = google_kms_key_ring.main[0].id
  purpose         = "ENCRYPT_DECRYPT"
  rotation_period = "${var.kms.rotation_days * 86400}s"
  labels          = local.labels
  deletion_policy = var.deletion_protection ? "PREVENT" : "DELETE"

  version_template {
    algorithm        = "GOOGLE_SYMMETRIC_ENCRYPTION"
    protection_level = var.kms.protection_level
  }
}

locals {
  kms_key = coalesce(var.kms.key, one(google_kms_crypto_key.main[*].id))
}
