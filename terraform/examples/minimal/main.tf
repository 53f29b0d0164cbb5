module "holdfast" {
  source = "../../modules/holdfast"

  project_id          = var.project_id
  project_number      = var.project_number
  region              = var.region
  packages            = local.packages
  invokers            = var.invokers
  deletion_protection = var.deletion_protection
}

locals {
  packages = {
    for name, package in jsondecode(file(var.packages_file)) : name => {
      path   = "${dirname(var.packages_file)}/${basename(package.path)}"
      sha256 = package.sha256
    }
  }
}
