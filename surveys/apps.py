"""App configuration: the survey app, and the admin site that carries Candor's look.

What is loaded between the two stays until the process ends: the garbage collector does not look for
any meanwhile, nor through all of it later, which took each command a third of its time.
"""

import gc
from types import ModuleType

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.db.models.signals import post_delete, post_migrate


class SurveysConfig(AppConfig):
    name = "surveys"
    verbose_name = "Candor"

    def __init__(self, app_name: str, app_module: ModuleType) -> None:
        super().__init__(app_name, app_module)
        gc.disable()

    def import_models(self) -> None:
        super().import_models()
        import surveys.features.models  # noqa: F401

    def ready(self) -> None:
        # The Celery application is loaded in every process, because tasks are queued through it.
        import config.celery
        import config.checks  # noqa: F401
        import surveys.features.registered  # noqa: F401
        from surveys.models import ReleaseFile
        from surveys.parameters import document_types
        from surveys.results_document.document import result_types
        from surveys.services.release_files import forget_file
        from surveys.services.roles import ensure_author_group

        document_types()
        result_types()
        post_delete.connect(forget_file, sender=ReleaseFile)
        post_migrate.connect(ensure_author_group, sender=self)


class CandorAdminConfig(AdminConfig):
    default_site = "surveys.admin.site.CandorAdminSite"

    def ready(self) -> None:
        super().ready()
        gc.freeze()
        gc.enable()
