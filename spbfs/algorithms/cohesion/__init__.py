"""How closely neighbours hang together: triangles, cores, trusses, common neighbours."""
