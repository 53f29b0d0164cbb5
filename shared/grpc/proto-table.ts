import { STATES } from '../a2a/schema.ts';

/**
 * The messages of a proto file by name, a field a line: name, number, type. A type ends in `?`
 * where absence can be told from the default, in `[]` where there may be several; `map:` is a map
 * from strings. `content.text` is the member `text` of the oneof `content`.
 */
export interface ProtoFile {
  readonly package: string;
  readonly enums: Readonly<Record<string, readonly string[]>>;
  readonly messages: Readonly<Record<string, readonly string[]>>;
}

/** A2A's service definition (a2a.proto, section 10.1), as far as it goes over the wire. */
export const A2A: ProtoFile = {
  package: 'lf.a2a.v1',
  enums: {
    TaskState: STATES,
    Role: ['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'],
  },
  messages: {
    SendMessageConfiguration: [
      'accepted_output_modes 1 string[]',
      'task_push_notification_config 2 TaskPushNotificationConfig',
      'history_length 3 int32?',
      'return_immediately 4 bool',
    ],
    Task: [
      'id 1 string',
      'context_id 2 string',
      'status 3 TaskStatus',
      'artifacts 4 Artifact[]',
      'history 5 Message[]',
      'metadata 6 Struct',
    ],
    TaskStatus: ['state 1 TaskState', 'message 2 Message', 'timestamp 3 Timestamp'],
    Part: [
      'content.text 1 string',
      'content.raw 2 bytes',
      'content.url 3 string',
      'content.data 4 Value',
      'metadata 5 Struct',
      'filename 6 string',
      'media_type 7 string',
    ],
    Message: [
      'message_id 1 string',
      'context_id 2 string',
      'task_id 3 string',
      'role 4 Role',
      'parts 5 Part[]',
      'metadata 6 Struct',
      'extensions 7 string[]',
      'reference_task_ids 8 string[]',
    ],
    Artifact: [
      'artifact_id 1 string',
      'name 2 string',
      'description 3 string',
      'parts 4 Part[]',
      'metadata 5 Struct',
      'extensions 6 string[]',
    ],
    TaskStatusUpdateEvent: [
      'task_id 1 string',
      'context_id 2 string',
      'status 3 TaskStatus',
      'metadata 4 Struct',
    ],
    TaskArtifactUpdateEvent: [
      'task_id 1 string',
      'context_id 2 string',
      'artifact 3 Artifact',
      'append 4 bool',
      'last_chunk 5 bool',
      'metadata 6 Struct',
    ],
    AuthenticationInfo: ['scheme 1 string', 'credentials 2 string'],
    TaskPushNotificationConfig: [
      'tenant 1 string',
      'id 2 string',
      'task_id 3 string',
      'url 4 string',
      'token 5 string',
      'authentication 6 AuthenticationInfo',
    ],
    SendMessageRequest: [
      'tenant 1 string',
      'message 2 Message',
      'configuration 3 SendMessageConfiguration',
      'metadata 4 Struct',
    ],
    GetTaskRequest: ['tenant 1 string', 'id 2 string', 'history_length 3 int32?'],
    ListTasksRequest: [
      'tenant 1 string',
      'context_id 2 string',
      'status 3 TaskState',
      'page_size 4 int32?',
      'page_token 5 string',
      'history_length 6 int32?',
      'status_timestamp_after 7 Timestamp',
      'include_artifacts 8 bool?',
    ],
    ListTasksResponse: [
      'tasks 1 Task[]',
      'next_page_token 2 string',
      'page_size 3 int32',
      'total_size 4 int32',
    ],
    CancelTaskRequest: ['tenant 1 string', 'id 2 string', 'metadata 3 Struct'],
    SubscribeToTaskRequest: ['tenant 1 string', 'id 2 string'],
    GetTaskPushNotificationConfigRequest: ['tenant 1 string', 'task_id 2 string', 'id 3 string'],
    DeleteTaskPushNotificationConfigRequest: ['tenant 1 string', 'task_id 2 string', 'id 3 string'],
    ListTaskPushNotificationConfigsRequest: [
      'task_id 1 string',
      'page_size 2 int32',
      'page_token 3 string',
      'tenant 4 string',
    ],
    ListTaskPushNotificationConfigsResponse: [
      'configs 1 TaskPushNotificationConfig[]',
      'next_page_token 2 string',
    ],
    GetExtendedAgentCardRequest: ['tenant 1 string'],
    SendMessageResponse: ['payload.task 1 Task', 'payload.message 2 Message'],
    StreamResponse: [
      'payload.task 1 Task',
      'payload.message 2 Message',
      'payload.status_update 3 TaskStatusUpdateEvent',
      'payload.artifact_update 4 TaskArtifactUpdateEvent',
    ],
    AgentCard: [
      'name 1 string',
      'description 2 string',
      'supported_interfaces 3 AgentInterface[]',
      'provider 4 AgentProvider',
      'version 5 string',
      'documentation_url 6 string?',
      'capabilities 7 AgentCapabilities',
      'security_schemes 8 map:SecurityScheme',
      'security_requirements 9 SecurityRequirement[]',
      'default_input_modes 10 string[]',
      'default_output_modes 11 string[]',
      'skills 12 AgentSkill[]',
      'signatures 13 AgentCardSignature[]',
      'icon_url 14 string?',
    ],
    AgentInterface: [
      'url 1 string',
      'protocol_binding 2 string',
      'tenant 3 string',
      'protocol_version 4 string',
    ],
    AgentProvider: ['url 1 string', 'organization 2 string'],
    AgentCapabilities: [
      'streaming 1 bool?',
      'push_notifications 2 bool?',
      'extensions 3 AgentExtension[]',
      'extended_agent_card 4 bool?',
    ],
    AgentExtension: ['uri 1 string', 'description 2 string', 'required 3 bool', 'params 4 Struct'],
    AgentSkill: [
      'id 1 string',
      'name 2 string',
      'description 3 string',
      'tags 4 string[]',
      'examples 5 string[]',
      'input_modes 6 string[]',
      'output_modes 7 string[]',
      'security_requirements 8 SecurityRequirement[]',
    ],
    AgentCardSignature: ['protected 1 string', 'signature 2 string', 'header 3 Struct'],
    StringList: ['list 1 string[]'],
    SecurityRequirement: ['schemes 1 map:StringList'],
    SecurityScheme: [
      'scheme.api_key_security_scheme 1 APIKeySecurityScheme',
      'scheme.http_auth_security_scheme 2 HTTPAuthSecurityScheme',
      'scheme.oauth2_security_scheme 3 OAuth2SecurityScheme',
      'scheme.open_id_connect_security_scheme 4 OpenIdConnectSecurityScheme',
      'scheme.mtls_security_scheme 5 MutualTlsSecurityScheme',
    ],
    APIKeySecurityScheme: ['description 1 string', 'location 2 string', 'name 3 string'],
    HTTPAuthSecurityScheme: ['description 1 string', 'scheme 2 string', 'bearer_format 3 string'],
    OAuth2SecurityScheme: [
      'description 1 string',
      'flows 2 OAuthFlows',
      'oauth2_metadata_url 3 string',
    ],
    OpenIdConnectSecurityScheme: ['description 1 string', 'open_id_connect_url 2 string'],
    MutualTlsSecurityScheme: ['description 1 string'],
    OAuthFlows: [
      'flow.authorization_code 1 AuthorizationCodeOAuthFlow',
      'flow.client_credentials 2 ClientCredentialsOAuthFlow',
      'flow.implicit 3 ImplicitOAuthFlow',
      'flow.password 4 PasswordOAuthFlow',
      'flow.device_code 5 DeviceCodeOAuthFlow',
    ],
    AuthorizationCodeOAuthFlow: [
      'authorization_url 1 string',
      'token_url 2 string',
      'refresh_url 3 string',
      'scopes 4 map:string',
      'pkce_required 5 bool',
    ],
    ClientCredentialsOAuthFlow: [
      'token_url 1 string',
      'refresh_url 2 string',
      'scopes 3 map:string',
    ],
    ImplicitOAuthFlow: [
      'authorization_url 1 string',
      'refresh_url 2 string',
      'scopes 3 map:string',
    ],
    PasswordOAuthFlow: ['token_url 1 string', 'refresh_url 2 string', 'scopes 3 map:string'],
    DeviceCodeOAuthFlow: [
      'device_authorization_url 1 string',
      'token_url 2 string',
      'refresh_url 3 string',
      'scopes 4 map:string',
    ],
  },
};

/** What the details of an error are made of (section 10.6). */
export const GOOGLE_RPC: ProtoFile = {
  package: 'google.rpc',
  enums: {},
  messages: {
    Status: ['code 1 int32', 'message 2 string', 'details 3 Any[]'],
    ErrorInfo: ['reason 1 string', 'domain 2 string', 'metadata 3 map:string'],
    BadRequest: ['field_violations 1 FieldViolation[]'],
    FieldViolation: ['field 1 string', 'description 2 string'],
    RetryInfo: ['retry_delay 1 Duration'],
  },
};

/** Whether a server serves; its enum is a number here. */
export const HEALTH: ProtoFile = {
  package: 'grpc.health.v1',
  enums: {},
  messages: {
    HealthCheckRequest: ['service 1 string'],
    HealthCheckResponse: ['status 1 int32'],
  },
};
