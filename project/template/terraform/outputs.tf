output "audience" {
  description = "For which address the identity token of a caller must be made out."
  value       = module.holdfast.audience
}

output "endpoint" {
  description = "Public address of the agents, without a slash at its end."
  value       = module.holdfast.endpoint
}
