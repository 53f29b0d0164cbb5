# This key wraps the data keys of the runs. Neither a key nor a ring can ever be deleted or its name used again, hence
# the generation.
resource "google_kms_key_ring" "main" {
  count = local.own_ring ? 1 : 0

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

# This key signs the agent cards. A client that pins it knows the card from any other; so a version is never destroyed by a plan, and a new
# one is used beside the old until clients have both.
resource "google_kms_crypto_key" "card" {
  count = local.own_card_key ? 1 : 0

  name            = "card"
  key_ring        = google_kms_key_ring.main[0].id
  purpose         = "ASYMMETRIC_SIGN"
  labels          = local.labels
  deletion_policy = var.deletion_protection ? "PREVENT" : "DELETE"

  version_template {
    algorithm        = "EC_SIGN_P256_SHA256"
    protection_level = var.card_signing.protection_level
  }
}

locals {
  own_card_key = var.card_signing != null && try(var.card_signing.key, null) == null
  own_ring     = var.kms.key == null || local.own_card_key
  card_key     = var.card_signing == null ? null : coalesce(var.card_signing.key, one(google_kms_crypto_key.card[*].id))
  card_keys    = local.card_key == null ? [] : [for version in var.card_signing.versions : "${local.card_key}/cryptoKeyVersions/${version}"]

  kms_key = coalesce(var.kms.key, one(google_kms_crypto_key.main[*].id))
}
