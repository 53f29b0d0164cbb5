module "holdfast" {
  source = "../../modules/holdfast"

  project_id = var.project_id
  region     = var.region
  packages   = local.packages
  invokers   = var.invokers
}

locals {
  packages = {
    for name, package in jsondecode(file(var.packages_file)) : name => {
      path   = "${dirname(var.packages_file)}/${basename(package.path)}"
      sha256 = package.sha256
    }
  }
}
