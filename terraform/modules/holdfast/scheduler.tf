resource "google_cloud_scheduler_job" "sweep" {
  project          = var.project_id
  region           = coalesce(var.scheduler.region, var.region)
  name             = "${var.prefix}-sweep"
  description      = "Acts on what is due: lost wake-ups, workers that are gone, deadlines."
  schedule         = var.scheduler.schedule
  time_zone        = "Etc/UTC"
  attempt_deadline = "${var.sweeper.timeout_seconds}s"
  paused           = var.scheduler.paused

  http_target {
    http_method = "POST"
    uri         = "${local.urls["sweeper"]}/"

    oidc_token {
      service_account_email = google_service_account.caller["scheduler"].email
      # Without it the audience would be the whole address with its path, which Cloud Run refuses.
      audience = local.urls["sweeper"]
    }
  }

  # No retries: the next minute brings the next call.
  depends_on = [google_project_service.main, google_cloud_run_service_iam_member.delivery]
}
