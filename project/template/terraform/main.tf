module "holdfast" {
  # The variables: ../node_modules/holdfast/terraform/holdfast/README.md
  source = "../node_modules/holdfast/terraform/holdfast"

  project_id          = var.project_id
  project_number      = var.project_number
  region              = var.region
  prefix              = var.prefix
  packages            = local.packages
  access              = var.access
  invokers            = var.invokers
  operator            = var.operator
  operators           = var.operators
  alerts              = var.alerts
  deletion_protection = var.deletion_protection
}

locals {
  # The zips lie beside the file that lists them; `holdfast build` writes both.
  packages = {
    for name, package in jsondecode(file(var.packages_file)) : name => {
      costly_agents = try(package.costly_agents, [])
      path          = "${dirname(var.packages_file)}/${basename(package.path)}"
      sha256        = package.sha256
    }
  }
}
