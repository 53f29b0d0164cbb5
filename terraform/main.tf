module "holdfast" {
  source = "./modules/holdfast"

  a2a                   = var.a2a
  access                = var.access
  alerts                = var.alerts
  allow_unauthenticated = var.allow_unauthenticated
  binary_authorization  = var.binary_authorization
  bucket                = var.bucket
  budget                = var.budget
  build_worker_pool     = var.build_worker_pool
  card_signing          = var.card_signing
  cmek                  = var.cmek
  coordinator           = var.coordinator
  database              = var.database
  deletion_protection   = var.deletion_protection
  enable_services       = var.enable_services
  grant_delay_seconds   = var.grant_delay_seconds
  grpc                  = var.grpc
  invokers              = var.invokers
  kms                   = var.kms
  labels                = var.labels
  log_level             = var.log_level
  metrics               = var.metrics
  model_prices          = var.model_prices
  network               = var.network
  notices               = var.notices
  operator              = var.operator
  operators             = var.operators
  packages              = local.packages
  prefix                = var.prefix
  privacy               = var.privacy
  private_ingress       = var.private_ingress
  project_id            = var.project_id
  project_number        = var.project_number
  projector             = var.projector
  push                  = var.push
  queue_generation      = var.queue_generation
  queues                = var.queues
  region                = var.region
  remote_private        = var.remote_private
  remote_secrets        = var.remote_secrets
  runtime               = var.runtime
  scheduler             = var.scheduler
  secrets               = var.secrets
  settings              = var.settings
  sweeper               = var.sweeper
  traces                = var.traces
  vertex_ai             = var.vertex_ai
  worker                = var.worker
}

locals {
  # The zips lie beside the file that lists them.
  packages = {
    for name, package in jsondecode(file(var.packages_file)) : name => {
      costly_agents = try(package.costly_agents, [])
      path          = "${dirname(var.packages_file)}/${basename(package.path)}"
      sha256        = package.sha256
    }
  }
}
