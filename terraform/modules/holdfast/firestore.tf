locals {
  # A copy of the file that `shared/gcp/firestore/indexes.ts` writes; a test keeps the two equal.
  indexes = jsondecode(file("${path.module}/files/firestore.indexes.json"))

  composite_indexes = {
    for index in local.indexes.indexes :
    join("/", concat([index.collectionGroup], [
      for field in index.fields : "${field.fieldPath}-${lower(field.order)}"
    ])) => index
  }
  field_overrides = {
    for field in local.indexes.fieldOverrides : "${field.collectionGroup}/${field.fieldPath}" => field
  }
}

resource "google_firestore_database" "main" {
  project                           = var.project_id
  name                              = coalesce(var.database.name, "${var.prefix}-state")
  location_id                       = coalesce(var.database.location, var.region)
  type                              = "FIRESTORE_NATIVE"
  database_edition                  = "STANDARD"
  concurrency_mode                  = "PESSIMISTIC"
  app_engine_integration_mode       = "DISABLED"
  point_in_time_recovery_enablement = var.database.point_in_time_recovery ? "POINT_IN_TIME_RECOVERY_ENABLED" : "POINT_IN_TIME_RECOVERY_DISABLED"
  delete_protection_state           = var.deletion_protection ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED"
  # Protected: `destroy` forgets the database and leaves it where it is.
  deletion_policy = var.deletion_protection ? "ABANDON" : "DELETE"

  dynamic "cmek_config" {
    for_each = var.cmek == null ? [] : [coalesce(var.cmek.database_key, var.cmek.key)]

    content {
      kms_key_name = cmek_config.value
    }
  }

  depends_on = [google_project_service.main, time_sleep.key_grants]
}

resource "google_firestore_index" "main" {
  for_each = local.composite_indexes

  project     = var.project_id
  database    = google_firestore_database.main.name
  collection  = each.value.collectionGroup
  query_scope = each.value.queryScope
  # Deleting an index that a deployed query needs breaks that query; a new one takes time to build.
  deletion_policy = "DELETE"

  dynamic "fields" {
    for_each = each.value.fields

    content {
      field_path = fields.value.fieldPath
      order      = fields.value.order
    }
  }
}

# No field has an index of its own unless a query needs it.
resource "google_firestore_field" "main" {
  for_each = local.field_overrides

  project    = var.project_id
  database   = google_firestore_database.main.name
  collection = each.value.collectionGroup
  field      = each.value.fieldPath

  index_config {
    dynamic "indexes" {
      for_each = each.value.indexes

      content {
        order       = indexes.value.order
        query_scope = indexes.value.queryScope
      }
    }
  }
}

resource "google_firestore_backup_schedule" "daily" {
  project   = var.project_id
  database  = google_firestore_database.main.name
  retention = "${var.database.daily_backup_days * 86400}s"

  daily_recurrence {}
}

resource "google_firestore_backup_schedule" "weekly" {
  project   = var.project_id
  database  = google_firestore_database.main.name
  retention = "${var.database.weekly_backup_days * 86400}s"

  weekly_recurrence {
    day = "SUNDAY"
  }
}
