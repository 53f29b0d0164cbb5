import type { ProviderSchema } from '../../../tools/terraform/schema-document.ts';

export const TIME_ADDRESS = 'registry.terraform.io/hashicorp/time';

/**
 * Of the time provider as much as the module uses
 * (https://registry.terraform.io/providers/hashicorp/time/latest/docs).
 */
export const timeSchema: ProviderSchema = {
  provider: { version: 0, block: {} },
  resource_schemas: {
    time_sleep: {
      version: 0,
      block: {
        attributes: {
          create_duration: { type: 'string', optional: true },
          destroy_duration: { type: 'string', optional: true },
          id: { type: 'string', computed: true },
          triggers: { type: ['map', 'string'], optional: true },
        },
      },
    },
  },
  data_source_schemas: {},
};

/** Of Terraform itself: what `checkFolder` has to know, for no provider serves it. */
export const builtIn: ProviderSchema = {
  provider: { version: 0, block: {} },
  resource_schemas: {
    terraform_data: {
      version: 0,
      block: {
        attributes: {
          id: { type: 'string', computed: true },
          input: { type: 'dynamic', optional: true },
          output: { type: 'dynamic', computed: true },
          triggers_replace: { type: 'dynamic', optional: true },
        },
      },
    },
  },
  data_source_schemas: {},
};
