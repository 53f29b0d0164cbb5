output "agent_card_url" {
  description = "Address of the agent card of the first agent."
  value       = "${coalesce(var.a2a.base_url, local.urls["a2a"])}/.well-known/agent-card.json"

  depends_on = [google_cloud_run_service_iam_member.caller]
}

output "artifact_repository" {
  description = "Id of the repository of the functions' containers."
  value       = google_artifact_registry_repository.main.id
}

output "audience" {
  description = "For which address the identity token of an A2A caller must be made out, whatever domain the function is behind."
  value       = local.urls["a2a"]

  depends_on = [google_cloud_run_service_iam_member.caller]
}

output "bucket" {
  description = "Name of the bucket for large content and the archive."
  value       = google_storage_bucket.content.name
}

output "dashboard" {
  description = "Id of the dashboard."
  value       = google_monitoring_dashboard.main.id
}

output "database" {
  description = "Name of the Firestore database."
  value       = google_firestore_database.main.name

  depends_on = [google_firestore_field.main, google_firestore_index.main]
}

output "endpoint" {
  description = "Public address of the A2A function, without a slash at its end."
  value       = coalesce(var.a2a.base_url, local.urls["a2a"])

  depends_on = [google_cloudfunctions2_function.main, google_cloud_run_service_iam_member.caller]
}

output "functions" {
  description = "Each function's id, name, Cloud Run service, `uri` as Google reports it, and `url`, by which the functions know each other. Both lead to the same service."
  value = {
    for name, function in google_cloudfunctions2_function.main : name => {
      id      = function.id
      name    = function.name
      service = function.service_config[0].service
      uri     = function.service_config[0].uri
      url     = local.urls[name]
    }
  }

  depends_on = [google_cloud_run_service_iam_member.delivery]
}

output "grpc" {
  description = "The gRPC service: its id and name, its `address` as the card names it, and the `audience` of a token for it; null without one."
  value = one([for service in google_cloud_run_v2_service.grpc : {
    id       = service.id
    name     = service.name
    address  = local.grpc_address
    audience = "https://${local.grpc_host}"
  }])

  depends_on = [google_cloud_run_service_iam_member.grpc]
}

output "key_agents" {
  description = "Google's service agents that were given the customer-managed key."
  value       = [for grant in google_kms_crypto_key_iam_member.agent : grant.member]

  depends_on = [time_sleep.key_grants]
}

output "kms_key" {
  description = "Id of the key that wraps data keys."
  value       = local.kms_key

  depends_on = [google_kms_crypto_key_iam_member.function]
}

output "operator_url" {
  description = "Address of the operator function, without a slash at its end: what an operator's command line is given."
  value       = local.urls["operator"]

  depends_on = [google_cloudfunctions2_function.main, google_cloud_run_service_iam_member.operator]
}

output "queues" {
  description = "Id of each queue, by class and shard."
  value       = { for name, queue in google_cloud_tasks_queue.main : name => queue.id }

  depends_on = [google_cloud_tasks_queue_iam_member.enqueuer]
}

output "scheduler_job" {
  description = "Id of the job that calls the sweeper."
  value       = google_cloud_scheduler_job.sweep.id
}

output "secrets" {
  description = "Id of each secret's container, by the name given in `secrets`."
  value       = { for name, secret in google_secret_manager_secret.main : name => secret.id }

  depends_on = [google_secret_manager_secret_iam_member.function]
}

output "service_accounts" {
  description = "Email and IAM member of each identity."
  value = {
    for name, account in merge(
      google_service_account.function,
      google_service_account.caller,
      { build = google_service_account.build },
    ) : name => { email = account.email, member = account.member }
  }

  depends_on = [
    google_kms_crypto_key_iam_member.function,
    google_project_iam_member.database,
    google_storage_bucket_iam_member.content,
  ]
}

output "source_bucket" {
  description = "Name of the bucket of the functions' zips."
  value       = google_storage_bucket.source.name
}
