/** Every error code a caller can see, with its HTTP status and envelope `type`. An error format may have its own for some. */
export const ERROR_CATALOG = {
  invalid_request: { status: 400, type: 'invalid_request_error' },
  previous_response_not_found: { status: 400, type: 'invalid_request_error' },
  context_window_exceeded: { status: 400, type: 'invalid_request_error' },
  invalid_api_key: { status: 401, type: 'authentication_error' },
  permission_denied: { status: 403, type: 'invalid_request_error' },
  host_not_allowed: { status: 403, type: 'invalid_request_error' },
  origin_not_allowed: { status: 403, type: 'invalid_request_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  request_timeout: { status: 408, type: 'invalid_request_error' },
  configuration_invalid: { status: 409, type: 'invalid_request_error' },
  version_conflict: { status: 412, type: 'invalid_request_error' },
  payload_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  expectation_failed: { status: 417, type: 'invalid_request_error' },
  upgrade_required: { status: 426, type: 'invalid_request_error' },
  precondition_required: { status: 428, type: 'invalid_request_error' },
  rate_limit: { status: 429, type: 'rate_limit_error' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  internal_error: { status: 500, type: 'server_error' },
} as const;

export type ErrorCode = keyof typeof ERROR_CATALOG;
