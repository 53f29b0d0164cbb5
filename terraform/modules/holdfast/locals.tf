data "google_project" "main" {
  count = var.project_number == null ? 1 : 0

  project_id = var.project_id
}

locals {
  project_number = coalesce(var.project_number, one(data.google_project.main[*].number))
  labels         = merge({ app = "holdfast", deployment = var.prefix }, var.labels)

  # Every Cloud Run service has this address besides the one with a hash. It is known before the service is there, so a function
  # can be told its own address and the others'; `service_config[0].uri` of one resource with for_each can't be.
  urls = {
    for name in local.function_names :
    name => "https://${var.prefix}-${name}-${local.project_number}.${var.region}.run.app"
  }

  function_names = toset(["a2a", "worker", "projector", "coordinator", "push", "operator", "sweeper"])
  # With the one that a deployment need not have.
  service_names = setunion(local.function_names, local.grpc_names)
  queue_classes = toset(["runs", "projections", "polls", "pushes"])

  # Who calls remote agents, and who carries out what an operator decides.
  remote_callers = toset(["worker", "coordinator", "operator"])

  # With which key each of Google's agents encrypts for its service. The database may lie elsewhere, and its key with it.
  key_agents = var.cmek == null ? {} : {
    artifact_registry = { agent = "gcp-sa-artifactregistry", key = var.cmek.key }
    cloud_tasks       = { agent = "gcp-sa-cloudtasks", key = var.cmek.key }
    firestore         = { agent = "gcp-sa-firestore", key = coalesce(var.cmek.database_key, var.cmek.key) }
    functions         = { agent = "gcf-admin-robot", key = var.cmek.key }
    run               = { agent = "serverless-robot-prod", key = var.cmek.key }
    secret_manager    = { agent = "gcp-sa-secretmanager", key = var.cmek.key }
    storage           = { agent = "gs-project-accounts", key = var.cmek.key }
  }
}
