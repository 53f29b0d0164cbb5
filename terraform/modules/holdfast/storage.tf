resource "google_storage_bucket" "content" {
  project                     = var.project_id
  name                        = "${var.project_id}-${var.prefix}-content"
  location                    = coalesce(var.bucket.location, var.region)
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.deletion_protection
  labels                      = local.labels

  # Off by default: what is purged must be gone, and the archive of a task is rewritten often.
  versioning {
    enabled = var.bucket.versioning
  }

  # Stated, because Google's own default is 7 days without a word. What is purged stays for this long.
  soft_delete_policy {
    retention_duration_seconds = var.bucket.soft_delete_days * 86400
  }

  # Where versioning is on, or was once.
  lifecycle_rule {
    action {
      type = "Delete"
    }
    condition {
      days_since_noncurrent_time = var.bucket.noncurrent_days
    }
  }

  dynamic "encryption" {
    for_each = var.cmek == null ? [] : [var.cmek.key]

    content {
      default_kms_key_name = encryption.value
    }
  }

  depends_on = [google_project_service.main, time_sleep.key_grants]
}

# The functions' zips. Each is named by its content, so a new one is a new object and the function is updated in place.
resource "google_storage_bucket" "source" {
  project                     = var.project_id
  name                        = "${var.project_id}-${var.prefix}-source"
  location                    = var.region
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.deletion_protection
  labels                      = local.labels

  # A zip that was replaced stays for a while as a noncurrent version.
  versioning {
    enabled = true
  }

  soft_delete_policy {
    retention_duration_seconds = 604800
  }

  lifecycle_rule {
    action {
      type = "Delete"
    }
    condition {
      days_since_noncurrent_time = 90
    }
  }

  dynamic "encryption" {
    for_each = var.cmek == null ? [] : [var.cmek.key]

    content {
      default_kms_key_name = encryption.value
    }
  }

  depends_on = [google_project_service.main, time_sleep.key_grants]
}

resource "google_storage_bucket_object" "package" {
  for_each = local.function_names

  bucket = google_storage_bucket.source.name
  name   = "${each.value}-${var.packages[each.value].sha256}.zip"
  source = var.packages[each.value].path

  lifecycle {
    precondition {
      condition     = try(filesha256(var.packages[each.value].path) == var.packages[each.value].sha256, false)
      error_message = "packages.${each.value}: ${var.packages[each.value].path} is not there, or its SHA-256 is another one. Build the packages again."
    }
  }
}
