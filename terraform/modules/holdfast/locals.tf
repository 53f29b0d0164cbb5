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

  function_names = toset(["a2a", "worker", "projector", "coordinator", "operator", "sweeper"])
  queue_classes  = toset(["runs", "projections", "polls"])

  # Who calls remote agents, and who carries out what an operator decides.
  remote_callers = toset(["worker", "coordinator", "operator"])

  # What needs more than the key to be there: an agent of Google's acts on it for the service.
  key_agents = var.cmek == null ? {} : {
    artifact_registry = "service-${local.project_number}@gcp-sa-artifactregistry.iam.gserviceaccount.com"
    firestore         = "service-${local.project_number}@gcp-sa-firestore.iam.gserviceaccount.com"
    functions         = "service-${local.project_number}@gcf-admin-robot.iam.gserviceaccount.com"
    run               = "service-${local.project_number}@serverless-robot-prod.iam.gserviceaccount.com"
    secret_manager    = "service-${local.project_number}@gcp-sa-secretmanager.iam.gserviceaccount.com"
    storage           = "service-${local.project_number}@gs-project-accounts.iam.gserviceaccount.com"
  }
}
