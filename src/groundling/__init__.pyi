from groundling.api import compare as compare
from groundling.api import list_games as list_games
from groundling.api import load as load
from groundling.api import load_replies as load_replies
from groundling.api import make as make
from groundling.api import play as play
from groundling.api import score as score
from groundling.api import show as show
from groundling.api import write_report as write_report
from groundling.core.values import Problem as Problem

__all__: list[str]
__version__: str
