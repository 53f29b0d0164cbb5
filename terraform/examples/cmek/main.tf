# Everything that is stored is encrypted with a key of ours. Google's service agents must exist before the first apply: see the
# module's README, Customer-managed keys.
module "holdfast" {
  source = "../../modules/holdfast"

  project_id          = var.project_id
  project_number      = var.project_number
  region              = var.region
  packages            = local.packages
  invokers            = var.invokers
  deletion_protection = var.deletion_protection

  cmek = {
    key = google_kms_crypto_key.main.id
  }
  secrets = {
    model-key = { read_by = ["worker"] }
  }
}

resource "google_project_service" "kms" {
  project            = var.project_id
  service            = "cloudkms.googleapis.com"
  disable_on_destroy = false
}

resource "google_kms_key_ring" "main" {
  project  = var.project_id
  name     = "holdfast-storage"
  location = var.region

  depends_on = [google_project_service.kms]
}

resource "google_kms_crypto_key" "main" {
  name            = "storage"
  key_ring        = google_kms_key_ring.main.id
  purpose         = "ENCRYPT_DECRYPT"
  rotation_period = "7776000s"
  deletion_policy = var.deletion_protection ? "PREVENT" : "DELETE"

  version_template {
    algorithm        = "GOOGLE_SYMMETRIC_ENCRYPTION"
    protection_level = "HSM"
  }
}

locals {
  packages = {
    for name, package in jsondecode(file(var.packages_file)) : name => {
      path   = "${dirname(var.packages_file)}/${basename(package.path)}"
      sha256 = package.sha256
    }
  }
}
