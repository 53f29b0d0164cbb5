# Everything that is worth something is below this, so `destroy` comes to it first: with protection on it fails here, and nothing is gone.
# Without it `destroy` would take functions, indexes and backup schedules before the key refuses.
resource "terraform_data" "protection" {
  input = var.deletion_protection

  provisioner "local-exec" {
    when    = destroy
    command = self.input ? "echo deletion_protection is on, so nothing is destroyed. Apply with deletion_protection = false first. && exit 1" : "exit 0"
  }

  depends_on = [
    google_artifact_registry_repository.main,
    google_billing_budget.main,
    google_cloud_run_service_iam_member.caller,
    google_cloud_run_service_iam_member.delivery,
    google_cloud_run_service_iam_member.grpc,
    google_cloud_run_service_iam_member.operator,
    google_cloud_run_v2_service.grpc,
    google_cloud_scheduler_job.sweep,
    google_cloud_tasks_queue.main,
    google_cloudfunctions2_function.main,
    google_firestore_backup_schedule.daily,
    google_firestore_backup_schedule.weekly,
    google_firestore_database.main,
    google_firestore_field.main,
    google_firestore_index.main,
    google_kms_crypto_key.card,
    google_kms_crypto_key.main,
    google_logging_metric.event,
    google_logging_metric.measure,
    google_monitoring_alert_policy.log,
    google_monitoring_alert_policy.metric,
    google_monitoring_alert_policy.sweeper_silent,
    google_monitoring_dashboard.main,
    google_project_iam_member.models,
    google_project_iam_member.redaction,
    google_secret_manager_secret.main,
    google_storage_bucket.content,
    google_storage_bucket.source,
  ]
}
