locals {
  services = toset(concat(
    [
      "artifactregistry.googleapis.com",
      "cloudbuild.googleapis.com",
      "cloudfunctions.googleapis.com",
      "cloudkms.googleapis.com",
      "cloudscheduler.googleapis.com",
      "cloudtasks.googleapis.com",
      "firestore.googleapis.com",
      "iam.googleapis.com",
      "iamcredentials.googleapis.com",
      "logging.googleapis.com",
      "monitoring.googleapis.com",
      "run.googleapis.com",
      "secretmanager.googleapis.com",
      "storage.googleapis.com",
    ],
    var.privacy.redactor == "dlp" ? ["dlp.googleapis.com"] : [],
    var.vertex_ai ? ["aiplatform.googleapis.com"] : [],
    var.binary_authorization != null ? ["binaryauthorization.googleapis.com"] : [],
    var.budget != null ? ["billingbudgets.googleapis.com"] : [],
    var.traces.export == "google" ? ["cloudtrace.googleapis.com", "telemetry.googleapis.com"] : [],
    var.metrics.export == "google" ? ["monitoring.googleapis.com", "telemetry.googleapis.com"] : [],
  ))
}

resource "google_project_service" "main" {
  for_each = var.enable_services ? local.services : toset([])

  project = var.project_id
  service = each.value
  # Others in the project may use it too.
  disable_on_destroy = false
}
