# Grants take their time to hold everywhere (https://cloud.google.com/iam/docs/access-change-propagation), and a create that comes too early
# fails. So what needs a grant of this apply waits for a while after it.

resource "time_sleep" "build_grants" {
  create_duration = "${var.grant_delay_seconds}s"
  # A new account has new grants.
  triggers = { account = google_service_account.build.unique_id }

  depends_on = [
    google_artifact_registry_repository_iam_member.build_images,
    google_project_iam_member.build_fetch,
    google_project_iam_member.build_logs,
    google_storage_bucket_iam_member.build_source,
  ]
}

resource "time_sleep" "key_grants" {
  count = var.cmek == null ? 0 : 1

  create_duration = "${var.grant_delay_seconds}s"
  triggers        = { keys = join(" ", sort(distinct([for of in values(local.key_agents) : of.key]))) }

  depends_on = [google_kms_crypto_key_iam_member.agent]
}
