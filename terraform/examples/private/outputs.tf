output "endpoint" {
  description = "Public address of the A2A function."
  value       = module.holdfast.endpoint
}
