{{/* What Candor's objects are called, and what all pods have in common. */}}
{{- define "candor.name" -}}
{{- printf "%s" .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "candor.labels" -}}
{{ include "candor.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "candor.selector" -}}
app.kubernetes.io/name: candor
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "candor.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* The environment stands in the pods themselves: a change restarts them, and the hook that migrates has it
     before anything of a release is there. */}}
{{- define "candor.environment" -}}
- {name: CANDOR_SECRET_KEY_FILE, value: /run/secrets/candor/secret-key}
- {name: DATABASE_URL_FILE, value: /run/secrets/candor/database-url}
- {name: REDIS_URL_FILE, value: /run/secrets/candor/broker-url}
- {name: CANDOR_ALLOWED_HOSTS, value: {{ join "," .Values.site.hosts | quote }}}
- {name: CANDOR_TRUSTED_PROXIES, value: {{ .Values.site.trustedProxies | quote }}}
- {name: CANDOR_TIME_ZONE, value: {{ .Values.site.timeZone | quote }}}
- {name: CANDOR_WEB_WORKERS, value: {{ .Values.web.processes | quote }}}
- {name: CANDOR_TASK_WORKERS, value: {{ .Values.worker.processes | quote }}}
{{- if .Values.metrics.enabled }}
- {name: CANDOR_METRICS_PORT, value: {{ .Values.metrics.port | quote }}}
{{- end }}
{{- range $name, $value := .Values.site.settings }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end }}

{{- define "candor.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "candor.container" -}}
image: {{ include "candor.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{- define "candor.mounts" -}}
- {name: secret, mountPath: /run/secrets/candor, readOnly: true}
- {name: scratch, mountPath: /tmp}
{{- end }}

{{- define "candor.volumes" -}}
- name: secret
  secret: {secretName: {{ .Values.secret.name }}, defaultMode: 0440}
- name: scratch
  emptyDir: {sizeLimit: {{ .Values.files.scratch }}}
{{- end }}

{{- define "candor.filesVolume" -}}
- name: files
  persistentVolumeClaim: {claimName: {{ .Values.files.existingClaim | default (printf "%s-files" (include "candor.name" .)) }}}
{{- end }}
