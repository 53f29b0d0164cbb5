export interface Mistake {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** What the real Terraform says of it. */
  readonly says: RegExp;
  /** `plan`: `validate` can't see it. */
  readonly only?: 'plan';
  /** The static check sees it too. */
  readonly static: boolean;
}

export const MISTAKES: readonly Mistake[] = [
  {
    what: 'an argument that is misspelt',
    file: 'storage.tf',
    from: 'public_access_prevention    = "enforced"',
    to: 'public_acces_prevention    = "enforced"',
    says: /Unsupported argument/,
    static: true,
  },
  {
    what: 'an argument that is misspelt inside a block',
    file: 'functions.tf',
    from: 'max_instance_count ',
    to: 'max_instances_count ',
    says: /Unsupported argument/,
    static: true,
  },
  {
    what: 'a block that is misspelt',
    file: 'scheduler.tf',
    from: 'oidc_token {',
    to: 'oidc_tokens {',
    says: /Unsupported block type/,
    static: true,
  },
  {
    what: 'a type of resource that there is not',
    file: 'queues.tf',
    from: 'resource "google_cloud_tasks_queue" "main"',
    to: 'resource "google_cloudtasks_queue" "main"',
    says: /Invalid resource type/,
    static: true,
  },
  {
    what: 'a required argument that is missing',
    file: 'firestore.tf',
    from: 'collection  = each.value.collectionGroup',
    to: '',
    says: /Missing required argument/,
    static: true,
  },
  {
    what: 'a required block that is missing',
    file: 'secrets.tf',
    from: 'replication {',
    to: 'timeouts {',
    says: /Insufficient replication blocks|Unsupported block type/,
    static: true,
  },
  {
    what: 'an argument that is written as a block',
    file: 'functions.tf',
    from: 'direct_vpc_egress = one(var.network[*].egress)',
    to: 'direct_vpc_egress {}',
    says: /Unsupported block type/,
    static: true,
  },
  {
    what: 'an attribute that a resource does not have',
    file: 'outputs.tf',
    from: 'value       = google_storage_bucket.content.name',
    to: 'value       = google_storage_bucket.content.names',
    says: /Unsupported attribute/,
    static: true,
  },
  {
    what: 'a resource that is not declared',
    file: 'iam.tf',
    from: 'bucket = google_storage_bucket.content.name',
    to: 'bucket = google_storage_bucket.contents.name',
    says: /Reference to undeclared resource/,
    static: true,
  },
  {
    what: 'a variable that is not declared',
    file: 'artifact.tf',
    from: 'repository_id   = var.prefix',
    to: 'repository_id   = var.name',
    says: /Reference to undeclared input variable/,
    static: true,
  },
  {
    what: 'a value that the provider does not know',
    file: 'firestore.tf',
    from: '"FIRESTORE_NATIVE"',
    to: '"NATIVE"',
    says: /expected type to be one of/,
    static: true,
  },
  {
    what: 'an output that is set',
    file: 'functions.tf',
    from: 'all_traffic_on_latest_revision   = true',
    to: 'uri = "https://example.com"',
    says: /service_config\.uri is an output|Value for unconfigurable attribute/,
    static: true,
  },
  {
    what: 'a role that is not meant for this kind of resource',
    file: 'iam.tf',
    from: 'role   = "roles/storage.objectUser"',
    to: 'role   = "roles/storage.admin"',
    says: /role must be one of/,
    static: true,
  },
  {
    what: 'a duration that is none',
    file: 'artifact.tf',
    from: '"2592000s"',
    to: '"30 days"',
    says: /older_than must be/,
    static: true,
  },
  {
    what: 'a function that reads its own address',
    file: 'functions.tf',
    from: 'environment_variables = local.function_environment[each.value]',
    to: 'environment_variables = { HOLDFAST_AUDIENCE = google_cloudfunctions2_function.main["worker"].service_config[0].uri }',
    says: /Self-referential block|Cycle/,
    only: 'plan',
    static: false,
  },
  {
    what: 'keys of for_each that are known only after apply',
    file: 'iam.tf',
    from: 'for_each = local.deliveries',
    to: 'for_each = { for name in values(google_cloudfunctions2_function.main) : name.url => name.name }',
    says: /Invalid for_each argument/,
    only: 'plan',
    static: false,
  },
  {
    what: 'a name that is too long where it is put together',
    file: 'iam.tf',
    from: 'account_id   = "${var.prefix}-build"',
    to: 'account_id   = "${var.prefix}-builds-the-containers-of-functions"',
    says: /account_id must be 6 to 30/,
    only: 'plan',
    static: false,
  },
  {
    what: 'a default that its own validation refuses',
    file: 'variables.tf',
    from: '"nodejs24"',
    to: '"nodejs20"',
    says: /runtime must be nodejs24 or newer/,
    only: 'plan',
    static: false,
  },
];
