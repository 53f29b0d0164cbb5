output "agent_card_url" {
  description = "Address of the agent card of the first agent."
  value       = module.holdfast.agent_card_url
}

output "artifact_repository" {
  description = "Id of the repository of the functions' containers."
  value       = module.holdfast.artifact_repository
}

output "audience" {
  description = "For which address the identity token of an A2A caller must be made out, whatever domain the function is behind."
  value       = module.holdfast.audience
}

output "bucket" {
  description = "Name of the bucket for large content and the archive."
  value       = module.holdfast.bucket
}

output "dashboard" {
  description = "Id of the dashboard."
  value       = module.holdfast.dashboard
}

output "database" {
  description = "Name of the Firestore database."
  value       = module.holdfast.database
}

output "endpoint" {
  description = "Public address of the A2A function, without a slash at its end."
  value       = module.holdfast.endpoint
}

output "functions" {
  description = "Each function's id, name, Cloud Run service, `uri` as Google reports it, and `url`, by which the functions know each other. Both lead to the same service."
  value       = module.holdfast.functions
}

output "grpc" {
  description = "The gRPC service: its id and name, its `address` as the card names it, and the `audience` of a token for it; null without one."
  value       = module.holdfast.grpc
}

output "key_agents" {
  description = "Google's service agents that were given the customer-managed key."
  value       = module.holdfast.key_agents
}

output "kms_key" {
  description = "Id of the key that wraps data keys."
  value       = module.holdfast.kms_key
}

output "operator_url" {
  description = "Address of the operator function, without a slash at its end: what an operator's command line is given."
  value       = module.holdfast.operator_url
}

output "queues" {
  description = "Id of each queue, by class and shard."
  value       = module.holdfast.queues
}

output "scheduler_job" {
  description = "Id of the job that calls the sweeper."
  value       = module.holdfast.scheduler_job
}

output "secrets" {
  description = "Id of each secret's container, by the name given in `secrets`."
  value       = module.holdfast.secrets
}

output "service_accounts" {
  description = "Email and IAM member of each identity."
  value       = module.holdfast.service_accounts
}

output "source_bucket" {
  description = "Name of the bucket of the functions' zips."
  value       = module.holdfast.source_bucket
}
